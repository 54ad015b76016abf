export type MailKind = 'INVITATION' | 'PASSWORD_RESET';

export interface MailContent {
  to: string;
  subject: string;
  text: string;
}
