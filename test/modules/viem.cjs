module.exports = require('./load.cjs')('viem');
