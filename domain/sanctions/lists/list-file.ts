/** `name` matters to OFAC_CSV alone, where it tells the four files apart. */
export interface ListFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
}
