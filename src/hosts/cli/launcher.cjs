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
  var words = process.argv.slice(2);
  if (isDaemon(words)) becomeSmall();
  var path = require('path');
  // Compiled code is kept in a folder of the user's own, never in a shared one that others could write to.
  var cache = cacheFolder(path);
  if (cache) require('module').enableCompileCache(path.join(cache, 'fettle', 'compile'));
  if (!isDaemon(words)) setTimeout(keepSmall, 200).unref();
  import(require('url').pathToFileURL(path.join(__dirname, '../lib', entry(words))).href).then(function (entered) {
    return entered.main(words);
  });
}

// The processes of the schedule stay: they load next to nothing.
function entry(words) {
  var supervises = words[0] === 'schedule' && words[1] === 'supervise' && /^\d+$/.test(words[2]) && words.length === 3;
  return supervises || isDaemon(words) ? 'schedule.js' : 'cli.js';
}

function isDaemon(words) {
  return words[0] === 'schedule' && words[1] === 'daemon' && words.length === 2;
}

// The daemon stays for months and has nothing to hurry for: without compilers, and with little space for young objects, it takes 4 MB less. The
// process becomes another program and keeps its number. Where that cannot be done it runs as it is.
function becomeSmall() {
  var flags = ['--lite-mode', '--max-semi-space-size=1', '--v8-pool-size=0'];
  if (typeof process.execve !== 'function' || process.execArgv.indexOf(flags[0]) >= 0) return;
  try {
    process.execve(process.execPath, [process.execPath].concat(flags, process.execArgv, process.argv.slice(1)), process.env);
  } catch (error) {
    if (error.code !== 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM') throw error;
  }
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
