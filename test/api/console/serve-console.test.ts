import { startSecondApi, useApi } from '../../use-api.ts';

const { api } = useApi({
  config: { TEMPORAL_UI_URL: 'http://127.0.0.1:8233/', TEMPORAL_NAMESPACE: 'way bill' },
});

const page = async (url: string) => await (await fetch(`${url}/console/`)).text();

test('names the Temporal UI where everything runs on one machine, and nowhere else', async () => {
  expect(await page(api.url)).toContain(
    '<meta name="temporal-workflows" content="http://127.0.0.1:8233/namespaces/way%20bill/workflows"></head>',
  );
  const config = { TEMPORAL_UI_URL: 'http://127.0.0.1:8233', TRUST_PROXY: true };
  const behindProxy = await startSecondApi(api, { config });
  expect(await page(behindProxy.url)).not.toContain('temporal');
  const named = await startSecondApi(api, {
    config: { ...config, TRUST_PROXY: false, PUBLIC_URL: 'https://waybill.example' },
  });
  expect(await page(named.url)).not.toContain('temporal');
});
