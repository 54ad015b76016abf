module.exports = require('./load.cjs')('viem/utils');
