#!/usr/bin/env node
// The installed command. Written in old JavaScript, so that an old Node reads it and can say what is needed.
'use strict';
var version = __FETTLE_VERSION__;
var first = process.argv[2];
if (process.argv.length === 3 && (first === '--version' || first === '-V')) {
  printVersion();
} else {
  start();
}

function printVersion() {
  try {
    require('fs').writeSync(1, version + '\n');
  } catch (error) {
    if (error.code === 'EPIPE') return; // `| head`: nobody reads any more
    process.stderr.write('fettle: the version cannot be written: ' + error.code + '\n');
    process.exitCode = 1;
  }
}

function start() {
  var parts = process.versions.node.split('.');
  var newEnough = Number(parts[0]) > 24 || (Number(parts[0]) === 24 && Number(parts[1]) >= 15);
  if (!newEnough) {
    process.stderr.write(
      'fettle: Node 24.15 or newer is needed, this is ' +
        process.versions.node +
        '.\n' +
        '  hint: install a newer Node, or run it with one: /path/to/newer/node ' +
        __filename +
        '\n',
    );
    process.exit(2);
  }
  var path = require('path');
  // Compiled code is kept in a folder of the user's own, never in a shared one that others could write to.
  var cache = cacheFolder(path);
  if (cache) require('module').enableCompileCache(path.join(cache, 'fettle', 'compile'));
  setTimeout(keepSmall, 200).unref();
  import(require('url').pathToFileURL(path.join(__dirname, '../lib', entry(process.argv.slice(2)))).href).then(function (entered) {
    return entered.main(process.argv.slice(2));
  });
}

// The processes of the schedule stay: they load next to nothing.
function entry(words) {
  var stays = (words[1] === 'daemon' && words.length === 2) || (words[1] === 'supervise' && /^\d+$/.test(words[2]) && words.length === 3);
  return words[0] === 'schedule' && stays ? 'schedule.js' : 'cli.js';
}

// A relative folder would be another one after each `cd`, perhaps one of a hostile repository. In a file system of the kernel nothing can be kept,
// and making a folder there does not come back (nodejs/node: recursive mkdir below /proc).
function cacheFolder(path) {
  var xdg = process.env.XDG_CACHE_HOME;
  var home = process.env.HOME;
  var cache = xdg && path.isAbsolute(xdg) ? xdg : home && path.isAbsolute(home) ? path.join(home, '.cache') : undefined;
  return cache === undefined || /^\/(?:proc|sys)(?:\/|$)/.test(path.resolve(cache)) ? undefined : cache;
}

// Left to grow, the space for young objects makes up half of the memory of a long session, and saves no time that shows. A short run needs
// the room.
function keepSmall() {
  require('v8').setFlagsFromString('--semi-space-growth-factor=1');
}
