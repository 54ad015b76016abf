const { runInThisContext } = require('node:vm');

/**
 * Loads a package outside of the sandbox of a test file, so that a jest worker reads and compiles it once instead of once
 * for every file: viem alone is 470 modules. Only for packages whose results are plain values, or that know their own
 * errors and types by name, since those are not of the sandbox either.
 */
module.exports = runInThisContext('process').getBuiltinModule('node:module').createRequire(__filename);
