import { registerBlockchains, type Blockchain } from '../../domain/blockchains.ts';

/** Gives a function that makes chains known to the tests of the file that calls this; other files of the process find none. */
export function fileChains(): (chains: readonly Blockchain[]) => void {
  let takeBack = (): void => undefined;
  afterAll(() => takeBack());
  return (chains) => {
    takeBack = registerBlockchains(chains);
  };
}
