import type { WordKey } from './language.ts';
import type { StepKind } from './hosted-verification.ts';

/** A file that waits to be sent. */
export interface ChosenFile {
  file: File;
  /** Why the service would refuse it; null: it looks fine. The service decides by the content. */
  fault: WordKey | null;
  /** The address of a picture, for the list; null for other files. */
  preview: string | null;
  source: 'CAMERA' | 'FILE';
}

/** What an upload takes. */
export interface FileRules {
  /** The most files. */
  count: number;
  takesVideo: boolean;
  takesPdf: boolean;
}

export const FILE_RULES: Record<'VISUAL_PROOF' | StepKind, FileRules> = {
  VISUAL_PROOF: { count: 3, takesVideo: true, takesPdf: true },
  SOURCE_OF_FUNDS_WEALTH: { count: 5, takesVideo: false, takesPdf: true },
  SELFIE: { count: 5, takesVideo: true, takesPdf: false },
};

const STILL_BYTES = 5 * 1024 * 1024;
const VIDEO_BYTES = 50 * 1024 * 1024;
const PICTURES = ['jpg', 'jpeg', 'jpe', 'jfif', 'png'];
const VIDEOS = ['mp4', 'm4v', 'mov', '3gp', '3g2', 'webm', 'mkv', 'avi', 'wmv', 'mpeg', 'mpg'];

/** The value of `accept` for a chooser of files. */
export function acceptedTypes({ takesVideo, takesPdf }: FileRules): string {
  return [
    'image/jpeg',
    'image/png',
    ...(takesPdf ? ['application/pdf'] : []),
    ...(takesVideo ? ['video/*'] : []),
  ].join(',');
}

/** The files with those added, each checked, at most as many as the rules allow; the same file is there once. */
export function addFiles(
  before: readonly ChosenFile[],
  added: readonly File[],
  rules: FileRules,
  source: ChosenFile['source'] = 'FILE',
): ChosenFile[] {
  const isThere = ({ name, size, lastModified }: File) =>
    before.some(({ file }) => file.name === name && file.size === size && file.lastModified === lastModified);
  const room = Math.max(0, rules.count - before.length);
  const fresh = added.filter((file) => !isThere(file)).slice(0, room);
  return [...before, ...fresh.map((file) => checkFile(file, rules, source))];
}

function checkFile(file: File, rules: FileRules, source: ChosenFile['source']): ChosenFile {
  const preview = isPicture(file) ? URL.createObjectURL(file) : null;
  return { file, fault: faultOf(file, rules), preview, source };
}

function faultOf(file: File, { takesVideo, takesPdf }: FileRules): WordKey | null {
  if (file.size === 0) return 'fileEmpty';
  const isVideo = VIDEOS.includes(extensionOf(file)) || file.type.startsWith('video/');
  const isPdf = extensionOf(file) === 'pdf' || file.type === 'application/pdf';
  const isTaken = isPicture(file) || (isVideo && takesVideo) || (isPdf && takesPdf);
  if (!isTaken) return 'fileWrongType';
  if (file.size > (isVideo ? VIDEO_BYTES : STILL_BYTES)) return isVideo ? 'videoTooLarge' : 'fileTooLarge';
  return null;
}

function isPicture(file: File): boolean {
  return PICTURES.includes(extensionOf(file)) || ['image/jpeg', 'image/png'].includes(file.type);
}

function extensionOf({ name }: File): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Frees the previews of files that are shown no more. */
export function forgetFiles(files: readonly ChosenFile[]): void {
  for (const { preview } of files) if (preview !== null) URL.revokeObjectURL(preview);
}
