/** The version of the product, as the reference and operators see it. */
export const API_VERSION = '0.1.0';
