import { join } from 'node:path';
import type { Config } from '../process/settings.ts';
import { clamd, type VirusScanner } from './clamd.ts';
import { localFolder } from './local-folder.ts';
import { s3Bucket } from './s3.ts';
import type { Storage } from './storage.ts';

/** The bucket that is configured, otherwise a folder. */
export function openStorage(config: Config): Storage {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  if (S3_ENDPOINT && S3_BUCKET && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    return s3Bucket({
      endpoint: S3_ENDPOINT,
      bucket: S3_BUCKET,
      region: config.S3_REGION,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    });
  }
  return localFolder(config.STORAGE_DIR ?? join(config.WAYBILL_HOME, 'storage'));
}

/** Undefined without CLAMD_URL: files are taken unscanned. */
export function openScanner({ CLAMD_URL }: Config): VirusScanner | undefined {
  return CLAMD_URL === undefined ? undefined : clamd(CLAMD_URL);
}
