/** The version of the product, as the reference, operators and manifests of exports see it. */
export const PRODUCT_VERSION = '0.1.0';
