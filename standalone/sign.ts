import { parseArgs } from 'node:util';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const USAGE = `usage: npm run -s sign -- --new-key     prints a private key for trials
       npm run -s sign -- --address     prints the Ethereum address of the key in WALLET_KEY
       npm run -s sign -- "<text>"      prints the signature of the text by that key (EIP-191, personal_sign)`;

/** `npm run sign`: an Ethereum wallet for trials, which signs as a browser wallet does. */
async function main(): Promise<string> {
  const { newKey, address, text } = readArguments();
  if (newKey) return generatePrivateKey();
  if (!address && text === undefined) throw new Error(USAGE);
  const account = privateKeyToAccount(keyGiven());
  return text === undefined ? account.address : await account.signMessage({ message: text });
}

function readArguments() {
  try {
    const options = { 'new-key': { type: 'boolean' }, address: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > (values.address ? 0 : 1)) throw new Error('one text is expected');
    return { newKey: values['new-key'], address: values.address, text: positionals[0] };
  } catch (error) {
    throw new Error(USAGE, { cause: error });
  }
}

/** From the environment: an argument would be seen by every user of the machine. */
function keyGiven(): `0x${string}` {
  const key = process.env['WALLET_KEY'] ?? '';
  if (isPrivateKey(key)) return key;
  throw new Error('WALLET_KEY: a private key of 0x and 64 hex digits is expected, as --new-key prints it.');
}

function isPrivateKey(text: string): text is `0x${string}` {
  return /^0x[0-9a-f]{64}$/i.test(text);
}

try {
  console.log(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : 'The text could not be signed');
  process.exitCode = 1;
}
