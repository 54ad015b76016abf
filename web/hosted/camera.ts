import type { HostedPage } from './page.ts';

const JPEG_QUALITY = 0.92;

export function hasCamera(): boolean {
  return 'mediaDevices' in navigator;
}

/** Shows what the camera sees. `facing` is the one that looks at the user, or away from them. */
export async function openCamera(page: HostedPage, facing: 'user' | 'environment'): Promise<void> {
  try {
    const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: facing }, audio: false });
    page.set({ camera });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    throw new Error(page.state.say('cameraRefused'), { cause: error });
  }
}

export function closeCamera(page: HostedPage): void {
  for (const track of page.state.camera?.getTracks() ?? []) track.stop();
  page.set({ camera: null });
}

/** The picture that the camera shows now, as a file. */
export async function takePicture(video: HTMLVideoElement): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  // In ordinary memory: the picture is read at once.
  canvas.getContext('2d', { willReadFrequently: true })?.drawImage(video, 0, 0);
  const content = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY),
  );
  if (content === null) throw new Error('the picture could not be made');
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return new File([content], `camera-${moment}.jpg`, { type: 'image/jpeg' });
}
