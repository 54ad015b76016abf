import { blockchains } from '../../../domain/blockchains.ts';
import { PRICE_IDS, SANDBOX_PRICES } from '../../../domain/transactions/price-assets.ts';

test.each([...new Set(blockchains.map(({ nativeAsset }) => nativeAsset))])(
  '%s can have a price, from a source and in a sandbox',
  (asset) => {
    expect(PRICE_IDS[asset]).toMatch(/^[a-z0-9-]+$/);
    expect(SANDBOX_PRICES[asset]).toHaveLength(2);
  },
);
