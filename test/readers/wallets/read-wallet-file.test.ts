import { readWalletFile } from '../../../readers/wallets/read-wallet-file.ts';
import { CSV_LIMITS } from '../../../domain/wallets/wallet-file.ts';
import { evmFile } from '../../factories/csv.ts';
import { evmAddress } from '../../factories/transaction.ts';

/** The file in pieces of so many bytes, as storage gives it. */
async function check(content: string | Buffer, pieceBytes = 1024 * 1024) {
  const bytes = Buffer.from(content);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
    }
  }
  return await readWalletFile(pieces());
}

const HEADER = 'address,asset,blockchain,tag,metadata';
const file = (...rows: string[]) => [HEADER, ...rows].join('\n');
const good = () => `${evmAddress()},ETH,Ethereum,,`;
const where = ({ faults }: Awaited<ReturnType<typeof check>>) =>
  faults?.map(({ row, field, code }) => [row, field, code]);

describe('a file that cannot be read', () => {
  const utf16 = Buffer.from(`\ufeff${file(good())}`, 'utf16le');
  test.each<[string, string | Buffer, unknown[]]>([
    ['empty', '', [null, null, 'header_missing']],
    ['nothing but blank lines', '\n\r\n\n', [null, null, 'header_missing']],
    ['UTF-16, little endian', utf16, [null, null, 'encoding_invalid']],
    ['UTF-16, big endian', Buffer.from(utf16).swap16(), [null, null, 'encoding_invalid']],
    [
      'Latin-1',
      Buffer.from(file(`${evmAddress()},ETH,Ethereum,,Müller`), 'latin1'),
      [null, null, 'encoding_invalid'],
    ],
    ['a quote that never closes', file(good(), `"${evmAddress()},ETH`), [3, null, 'quotes_invalid']],
    ['a quote in the middle of a cell', file(`0x"1",ETH,Ethereum,,`), [2, null, 'quotes_invalid']],
    [
      'text after a closing quote',
      file(good(), good(), `"0x1"2,ETH,Ethereum,,`),
      [4, null, 'quotes_invalid'],
    ],
    ['a column that is not known', `address,asset,blockchain,owner\n`, [1, null, 'column_unknown']],
    ['a missing column', 'address,asset\n', [1, 'blockchain', 'column_missing']],
    ['a column twice', 'address,asset,blockchain,asset\n', [1, 'asset', 'column_repeated']],
    ['semicolons', 'address;asset;blockchain\n1;2;3\n', [1, null, 'delimiter_invalid']],
    ['a single line of 10 MB', Buffer.alloc(10 * 1024 * 1024, 'x'), [1, null, 'row_too_long']],
    ['a quoted cell of 10 MB in lines', `"${'x\n'.repeat(5 * 1024 * 1024)}"`, [1, null, 'row_too_long']],
  ])('%s', async (_name, content, fault) => {
    expect(where(await check(content))).toEqual([fault]);
  });

  test('a single line of 10 MB is refused before it is read', async () => {
    let given = 0;
    async function* pieces() {
      for (; given < 10; given += 1) yield await Promise.resolve(Buffer.alloc(1024 * 1024, 'x'));
    }
    expect((await readWalletFile(pieces())).faults?.[0]?.code).toBe('row_too_long');
    expect(given).toBe(0);
  });

  test('more than 50,000 rows, however right they are', async () => {
    const tooMany = await check(evmFile(CSV_LIMITS.rows + 1));
    expect(where(tooMany)).toEqual([[50_002, null, 'too_many_rows']]);
    const most = await check(evmFile(CSV_LIMITS.rows));
    expect([most.faults, most.total]).toEqual([null, 50_000]);
  });
});

describe('rows that are wrong', () => {
  const row = (cells: Partial<Record<string, string>>) => {
    const all: Record<string, string> = {
      address: evmAddress(),
      asset: 'ETH',
      blockchain: 'Ethereum',
      tag: '',
      metadata: '',
    };
    return HEADER.split(',')
      .map((name) => cells[name] ?? all[name])
      .join(',');
  };
  test.each<[string, string, unknown[]]>([
    ['an address of another chain', row({ blockchain: 'Bitcoin' }), [2, 'address', 'address_invalid']],
    [
      'a wrong EIP-55 checksum',
      row({ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' }),
      [2, 'address', 'address_invalid'],
    ],
    ['an empty cell that is required', row({ asset: '' }), [2, 'asset', 'required']],
    ['a formula where a ticker belongs', row({ asset: '=cmd' }), [2, 'asset', 'invalid_format']],
    ['NUL in free text', row({ metadata: 'a\0b' }), [2, 'metadata', 'invalid_characters']],
    ['a tag that is too long', row({ tag: 'x'.repeat(129) }), [2, 'tag', 'too_big']],
    ['metadata that is too long', row({ metadata: 'x'.repeat(2_001) }), [2, 'metadata', 'too_big']],
    ['a cell too many', `${row({})},x`, [2, null, 'column_count']],
    ['a cell too few', `${evmAddress()},ETH`, [2, null, 'column_count']],
  ])('%s', async (_name, line, fault) => {
    expect(where(await check(file(line)))).toEqual([fault]);
  });

  test('are counted as a spreadsheet counts them: blank lines and cells of several lines included', async () => {
    const content = file(good(), '', `${evmAddress()},ETH,Ethereum,,"two\nlines"`, row({ asset: '' }));
    expect(where(await check(content))).toEqual([[5, 'asset', 'required']]);
  });

  test('are all told, the first 1,000, and none of their cells', async () => {
    const secret = 'Xenophilius';
    const lines = Array.from({ length: 1_500 }, () => `${secret},${secret}!,Ethereum,,${secret}`);
    const { faults } = await check(file(...lines));
    expect(faults).toHaveLength(1_000);
    expect(JSON.stringify(faults)).not.toContain(secret);
    expect(JSON.stringify((await check(`${secret},${secret},x\n`)).faults)).not.toContain(secret);
  });
});

describe('a file that is right', () => {
  test.each([1, 7, 64, 1_000_000])('says the same in pieces of %d bytes', async (pieceBytes) => {
    const address = evmAddress();
    const content = `\ufeff${HEADER}\r\n${address},ETH,Ethereum,,"Zoë, ""日本"""\r\n${evmAddress()},*,Base,7,`;
    const { wallets, total } = await check(content, pieceBytes);
    expect(total).toBe(2);
    expect(wallets?.[0]).toMatchObject({
      address,
      addressNormal: address,
      metadata: 'Zoë, "日本"',
      tag: null,
    });
    expect(wallets?.[1]).toMatchObject({ asset: '*', blockchainKey: 'Base', tag: '7', metadata: null });
  });

  test('names its columns in any order and case', async () => {
    const { wallets } = await check(` Blockchain ,ASSET,Address\nEthereum,ETH,${evmAddress()}`);
    expect(wallets?.[0]).toMatchObject({ asset: 'ETH', blockchain: 'Ethereum' });
  });

  test('mixes line ends', async () => {
    expect(
      (await check(`address,asset,blockchain\n${evmAddress()},ETH,Ethereum\r\n${evmAddress()},ETH,Base\n`))
        .total,
    ).toBe(2);
  });

  test('gives each wallet once; another tag or asset is another wallet', async () => {
    const address = evmAddress();
    const rows = ['ETH,', 'eth,', 'ETH,1', '*,'].map(
      (end) => `${address},${end.replace(',', ',Ethereum,')},`,
    );
    const { wallets, total } = await check(file(...rows));
    expect([total, wallets?.length]).toEqual([4, 3]);
  });

  test('is read while other work of the process goes on', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    await check(evmFile(20_000));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });
});
