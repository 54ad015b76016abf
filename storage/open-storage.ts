import { join } from 'node:path';
import type { Settings } from '../process/settings.ts';
import { clamd, type VirusScanner } from './clamd.ts';
import { localFolder } from './local-folder.ts';
import { s3Bucket } from './s3.ts';
import type { Storage } from './storage.ts';

/** Opens the configured bucket, or else a local folder. */
export function openStorage(settings: Settings): Storage {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  if (S3_ENDPOINT && S3_BUCKET && S3_ACCESS_KEY_ID && S3_SECRET_ACCESS_KEY) {
    return s3Bucket({
      endpoint: S3_ENDPOINT,
      bucket: S3_BUCKET,
      region: settings.S3_REGION,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    });
  }
  return localFolder(settings.STORAGE_DIR ?? join(settings.WAYBILL_HOME, 'storage'));
}

/** Opens the virus scanner; undefined without CLAMD_URL: files are then accepted unscanned. */
export function openScanner({ CLAMD_URL }: Settings): VirusScanner | undefined {
  return CLAMD_URL === undefined ? undefined : clamd(CLAMD_URL);
}
