import { httpPriceSource } from '../../../activities/prices/price-source.ts';
import { assetsOf, priceIdsWith } from '../../../domain/transactions/price-assets.ts';
import { createReceivers } from '../../fakes/receivers.ts';

const receivers = createReceivers();
const { receiver } = receivers;
afterEach(async () => await receivers.end());

const json = (body: unknown) => JSON.stringify(body);

test('prices are asked for by one request, and those that the source knows come back', async () => {
  const asked: string[] = [];
  const { url, port } = await receiver((request, response) => {
    asked.push(request.url ?? '');
    response.end(
      json({ bitcoin: { usd: 97_000.5, eur: 1e-7, last_updated_at: 1_700_000_000 }, ethereum: {} }),
    );
  });
  expect(await httpPriceSource(url)()).toEqual([
    {
      asset: 'BTC',
      usd: '97000.5',
      eur: '0.0000001',
      source: `127.0.0.1:${port}`,
      pricedAt: new Date('2023-11-14T22:13:20Z'),
    },
  ]);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatch(/^\/hook\?ids=bitcoin%2C.*&vs_currencies=usd%2Ceur&include_last_updated_at=true&/);
});

test('assets of the deployment are asked for by their own ids', async () => {
  const chains = [
    {
      nativeAsset: 'Own',
      priceId: 'own-coin',
      tokens: [{ asset: 'TKN', priceId: 'token.x' }, { asset: 'NIL' }],
    },
    { nativeAsset: 'ETH', priceId: 'ether-here', tokens: [] },
  ];
  const asked: string[] = [];
  const { url } = await receiver((request, response) => {
    asked.push(request.url ?? '');
    response.end(json({ 'own-coin': { usd: 2 }, 'token.x': { usd: 3 }, 'ether-here': { usd: 4 } }));
  });
  const prices = await httpPriceSource(url, priceIdsWith(chains.flatMap(assetsOf)))();
  expect(prices).toMatchObject([
    { asset: 'ETH', usd: '4' },
    { asset: 'OWN', usd: '2' },
    { asset: 'TKN', usd: '3' },
  ]);
  expect(asked[0]).toMatch(/ether-here.*own-coin%2Ctoken\.x&/);
});

test.each([
  ['an error', 500, json({ bitcoin: { usd: 1 } }), 'the price source answered 500'],
  ['a redirect', 302, '', 'the price source answered 302'],
  ['no JSON', 200, '<html>', /JSON/],
  ['a price that is none', 200, json({ bitcoin: { usd: -1 } }), /usd/],
  ['more than 1 MB', 200, json({ bitcoin: { usd: 1 }, filling: 'x'.repeat(1 << 20) }), 'TOO_LARGE'],
])('a source that answers %s gives no prices', async (_what, status, body, message) => {
  const target = await receiver((_request, response) => void response.end(json({ bitcoin: { usd: 1 } })));
  const { url } = await receiver(
    (_request, response) => void response.writeHead(status, { location: target.url }).end(body),
  );
  await expect(httpPriceSource(url)()).rejects.toThrow(message);
  expect(target.seen.hits).toBe(0);
});
