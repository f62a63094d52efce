// Required before the service: says on standard error which packages of OpenTelemetry it loads.
const Module = require('node:module');

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name.startsWith('@opentelemetry/')) process.stderr.write(`loaded ${name}\n`);
  return load.call(this, name, ...rest);
};
