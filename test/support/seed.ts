import fc from 'fast-check';

/** Properties get other values with each change of the sources, and the same ones as long as nothing changes. `FETTLE_SEED` repeats a run. */
fc.configureGlobal({seed: Number(process.env['FETTLE_SEED'])});
