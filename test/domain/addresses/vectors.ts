/** Addresses in their normal form, by chain: from the specifications of the formats, or in use on the chains. */
export const normalForms: readonly (readonly [blockchain: string, address: string])[] = [
  ['Ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['Bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['Litecoin', 'MK9xC9sbktt6DHMF6XwA3eZPJ2Vx32AXFT'],
  ['Bitcoin Cash', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['Dogecoin', 'DFrGqzk4ZnTcK1gYtxZ9QDJsDiVM8v8gwV'],
  ['Dash', 'XpESxaUmonkq8RaLLp46Brx2K39ggQe226'],
  ['Zcash', 't1VmmGiyjVNeCjxDZzg7vZmd99WyzVby9yC'],
  ['Zcash', 't3eF9X6X2dSo7MCvTjfZEzwWrVzquxRLNeY'],
  ['Zcash', 'zs1z7rejlpsa98s2rrrfkwmaxu53e4ue0ulcrw0h4x5g8jl04tak0d3mm47vdtahatqrlkngh9slya'],
  [
    'Zcash',
    'u1l8xunezsvhq8fgzfl7404m450nwnd76zshscn6nfys7vyz2ywyh4cc5daaq0c7q2su5lqfh23sp7fkf3kt27ve5948mzpfdvckzaect2jtte308mkwlycj2u0eac077wu70vqcetkxf',
  ],
  ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['Solana', 'Ds9iTf1dhM3DAwsFPJzYkg7pyGgvJs8UBibvcWaJ98BM'],
  ['XRP Ledger', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
  ['Stellar', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'],
  ['Stellar', 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE'],
  // CIP-19
  [
    'Cardano',
    'addr1qx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgse35a3x',
  ],
  [
    'Cardano',
    'addr1z8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gten0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs9yc0hh',
  ],
  [
    'Cardano',
    'addr1yx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerkr0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shs2z78ve',
  ],
  [
    'Cardano',
    'addr1x8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gt7r0vd4msrxnuwnccdxlhdjar77j6lg0wypcc9uar5d2shskhj42g',
  ],
  ['Cardano', 'addr1gx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer5pnz75xxcrzqf96k'],
  ['Cardano', 'addr128phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtupnz75xxcrtw79hu'],
  ['Cardano', 'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8'],
  ['Cardano', 'addr1w8phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcyjy7wx'],
  ['Cardano', 'stake1uyehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gh6ffgw'],
  ['Cardano', 'stake178phkx6acpnf78fuvxn0mkew3l0fd058hzquvz7w36x4gtcccycj5'],
  [
    'Cardano',
    'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae',
  ],
  [
    'Cardano',
    '37btjrVyb4KDXBNC4haBVPCrro8AQPHwvCMp3RFhhSVWwfFmZ6wwzSK6JK1hY6wHNmtrpTf1kdbva8TCneM2YsiXT7mrzT21EacHnPpz5YyUdj64na',
  ],
  ['Cardano', 'Ae2tdPwUPEZFRbyhz3cpfC2CumGzNkFBN2L42rcUc2yjQpEkxDbkPodpMAi'],
  [
    'Cardano',
    'DdzFFzCqrhsrcTVhLygT24QwTnNqQqQ8mZrq5jykUzMveU26sxaH529kMpo7VhPrt5pwW3dXeB2k3EEvKcNBRmzCfcQ7dTkyGzTs658C',
  ],
  ['Polkadot', '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'],
  ['Polkadot', '111111111111111111111111111111111HC1'],
  ['Cosmos Hub', 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27'],
  ['TON', '0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7'],
  ['Algorand', 'VCMJKWOY5P5P7SKMZFFOCEROPJCZOTIJMNIYNUCKH7LRO45JMJP6UYBIJA'],
  ['Algorand', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ'],
  ['Near', 'alex-skidanov'],
  ['Near', 'b-o_w_e-n'],
  ['Near', '10-4.8-2'],
  ['Near', 'system'],
  ['Near', 'over.9000'],
  ['Near', '98793cd91a3f870fb126f66285808c7e094afcfc4eda8a970f6648cdf0dbd6de'],
  ['Near', '0x85f17cf997934a597031b2e18a9ab6ebd4b9f6a4'],
  ['Aptos', `0x${'0'.repeat(63)}1`],
  ['Sui', `0x${'0'.repeat(63)}2`],
  ['Tezos', 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'],
  ['Tezos', 'tz2BFTyPeYRzxd5aiBchbXN3WCZhx7BqbMBq'],
  ['Tezos', 'tz3RDC3Jdn4j15J7bBHZd29EUee9gVB1CxD9'],
  ['Tezos', 'tz4HVR6aty9KwsQFHh81C1G7gBdhxT8kuytm'],
  ['Tezos', 'KT1PWx2mnDueood7fEmfbBDKx1D9BAnnXitn'],
  ['Tezos', 'sr1RYurGZtN8KNSpkMcCt9CgWeUaNkzsAfXf'],
  ['Hedera', '0.0.123'],
  ['Hedera', '0x85f17cf997934a597031b2e18a9ab6ebd4b9f6a4'],
  [
    'Monero',
    '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A',
  ],
  [
    'Monero',
    '888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H',
  ],
];

/** Other spellings of an address, with its normal form. */
export const otherSpellings: readonly (readonly [blockchain: string, spelling: string, normal: string])[] = [
  ['Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['Ethereum', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['Bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  [
    'Bitcoin Cash',
    'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  ],
  [
    'TON',
    'UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz',
    '0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7',
  ],
  // XLS-5: without a tag, for the main and the test network
  ['XRP Ledger', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
  ['XRP Ledger', 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
  ['Tron', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['Tron', '0x41A614F803B6FD780986A42C78EC9C7F77E6DED13C', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  // ZIP-320
  ['Zcash', 'tex1s2rt77ggv6q989lr49rkgzmh5slsksa9khdgte', 't1VmmGiyjVNeCjxDZzg7vZmd99WyzVby9yC'],
  // The same key with the general prefix and with Kusama's
  [
    'Polkadot',
    '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
    '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  ],
  [
    'Polkadot',
    'HNZata7iMYWmk5RvZRTiAsSDhV8366zq2YGb3tLH5Upf74F',
    '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5',
  ],
  [
    'Cosmos Hub',
    'COSMOS1DEPK54CUAJGKZEA6ZPGKQ36TNJWDZV4AFC3D27',
    'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27',
  ],
  [
    'Cardano',
    'ADDR1VX2FXV2UMYHTTKXYXP8X0DLPDT3K6CWNG5PXJ3JHSYDZERS66HRL8',
    'addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8',
  ],
  // Aptos: the zero in front is left out
  ['Aptos', `0x${'ABC'.repeat(21)}`, `0x0${'abc'.repeat(21)}`],
];
