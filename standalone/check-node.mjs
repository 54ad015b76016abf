// Old syntax, so that a Node that is too old can print the message.
var OLDEST = [20, 19];
var version = process.versions.node.split('.').map(Number);

if (version[0] < OLDEST[0] || (version[0] === OLDEST[0] && version[1] < OLDEST[1])) {
  console.error(
    'Waybill needs Node.js ' +
      OLDEST.join('.') +
      ' or newer; this is ' +
      process.version +
      ' (' +
      process.execPath +
      ').',
  );
  process.exit(1);
}
