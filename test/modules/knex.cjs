module.exports = require('./load.cjs')('knex');
