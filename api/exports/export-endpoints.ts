import type { Endpoint } from '../endpoint.ts';
import { createExportEndpoint } from './create-export.ts';
import { downloadExportEndpoint } from './download-export.ts';
import { getExportManifestEndpoint } from './get-export-manifest.ts';
import { getExportUrlEndpoint } from './get-export-url.ts';
import { getExportEndpoint } from './get-export.ts';
import { listExportsEndpoint } from './list-exports.ts';

/** Copies of records as files, in the order of the reference. */
export const exportEndpoints: readonly Endpoint[] = [
  createExportEndpoint,
  listExportsEndpoint,
  getExportEndpoint,
  getExportManifestEndpoint,
  getExportUrlEndpoint,
  downloadExportEndpoint,
];
