module.exports = require('./load.cjs')('viem/accounts');
