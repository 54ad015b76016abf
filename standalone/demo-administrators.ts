import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ConflictProblem, Waybill } from '@waybill/client';
import { z } from 'zod';
import { readPrivate, writePrivate } from './home.ts';

/** The user with the role ADMIN by whom a person signs in to a demo tenant. */
export interface DemoAdministrator {
  adminEmail: string;
  /** As the user was made; a changed password is not known here. */
  adminPassword: string;
}

interface AdministratorOptions {
  apiUrl: string;
  apiKey: string;
  home: string;
  adminEmail: string;
}

const Passwords = z.record(z.string(), z.string());

/** Creates the administrator of a demo tenant once. Returns undefined if another tenant has the e-mail address. */
export async function ensureAdministrator({
  apiUrl,
  apiKey,
  home,
  adminEmail,
}: AdministratorOptions): Promise<DemoAdministrator | undefined> {
  const adminPassword = passwordOf(home, adminEmail);
  const waybill = new Waybill({ baseUrl: apiUrl, apiKey });
  const known = await waybill.request('GET', '/users', { query: { q: adminEmail } });
  if (known.length > 0) return { adminEmail, adminPassword };
  try {
    await waybill.users.create({
      email: adminEmail,
      password: adminPassword,
      role: 'ADMIN',
      name: 'Demo administrator',
    });
    return { adminEmail, adminPassword };
  } catch (error) {
    if (error instanceof ConflictProblem) return undefined;
    throw error;
  }
}

/** Stored before the user is made, so that a start that was cut short leaves no user whose password nobody knows. */
function passwordOf(home: string, adminEmail: string): string {
  const file = join(home, 'demo-administrators.json');
  const kept = readPrivate(file, Passwords) ?? {};
  const password = kept[adminEmail] ?? randomBytes(18).toString('base64url');
  if (kept[adminEmail] === undefined) writePrivate(file, { ...kept, [adminEmail]: password });
  return password;
}
