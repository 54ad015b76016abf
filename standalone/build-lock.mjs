import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const TOUCH_MS = 2000;
const STALE_MS = 15_000;
const POLL_MS = 100;

/** Allows one process at a time to install and build; the lock of a killed process is taken over. */
export async function withBuildLock(root, work) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const lock = join(root, 'dist', '.lock');
  await take(lock);
  const touch = setInterval(() => {
    const now = new Date();
    utimesSync(lock, now, now);
  }, TOUCH_MS);
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    await work();
  } finally {
    clearInterval(touch);
    process.off('exit', release);
    release();
  }
}

async function take(lock) {
  let hasPrinted = false;
  while (!tryCreate(lock)) {
    if (isStale(lock)) removeStale(lock);
    else {
      if (!hasPrinted)
        console.log('Another process is installing or building in this folder; waiting for it ...');
      hasPrinted = true;
      await delay(POLL_MS);
    }
  }
}

function tryCreate(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** True when the owner has stopped touching the lock (every two seconds) or its process is gone. */
function isStale(lock) {
  try {
    return Date.now() - statSync(lock).mtimeMs > STALE_MS || ownerIsGone(lock);
  } catch {
    return false;
  }
}

function ownerIsGone(lock) {
  const owner = Number(readFileSync(lock, 'utf8'));
  if (!owner) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Renames the lock first: of two processes that find the same stale lock only one succeeds, and the other retries. */
function removeStale(lock) {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    rmSync(aside, { force: true });
  } catch {
    // Another process has removed it meanwhile.
  }
}
