import { generateKeyPairSync, sign } from 'node:crypto';

/** A self-signed certificate for one name, DER written out by hand so that no other program is needed. */
export function selfSigned(name: string, validUntil: Date): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
    const value = Buffer.concat(parts);
    const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff];
    return Buffer.concat([Buffer.from([tag, ...length]), value]);
  };
  const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);
  const hex = (text: string) => Buffer.from(text, 'hex');
  const utcTime = (date: Date) =>
    tlv(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
  const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
  const commonName = sequence(tlv(0x31, sequence(hex('0603550403'), tlv(0x0c, Buffer.from(name)))));
  const altNames = sequence(hex('0603551d11'), tlv(0x04, sequence(tlv(0x82, Buffer.from(name)))));
  const certificate = sequence(
    tlv(0xa0, hex('020102')),
    hex('020101'),
    ecdsaWithSha256,
    commonName,
    sequence(utcTime(new Date('2020-01-01T00:00:00Z')), utcTime(validUntil)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(altNames)),
  );
  const signature = tlv(0x03, hex('00'), sign('sha256', certificate, privateKey));
  const der = sequence(certificate, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${(der.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
