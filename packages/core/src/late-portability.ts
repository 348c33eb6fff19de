/** `hermes.export` and `hermes.import`, whose code is loaded at the first call. */
import type { Hermes } from './hermes.ts'
import type { ImportDeps } from './portability/import-archive.ts'
import { withLate } from './shared/load-late.ts'

export const latePortability = (deps: ImportDeps): Pick<Hermes, 'export' | 'import'> => ({
  export: () =>
    withLate(
      'The code of exports',
      () => import('./portability/export-home.ts'),
      ({ exportHome }) => exportHome(deps.storage),
    ),
  import: (archive, options) =>
    withLate(
      'The code of imports',
      () => import('./portability/import-archive.ts'),
      ({ importArchive }) => importArchive(deps, archive, options),
    ),
})
