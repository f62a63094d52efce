// This file is required before the service. It prints on standard error the packages of
// OpenTelemetry that the service loads.
const Module = require('node:module');

const load = Module._load;
Module._load = function (name, ...rest) {
  if (name.startsWith('@opentelemetry/')) process.stderr.write(`loaded ${name}\n`);
  return load.call(this, name, ...rest);
};
