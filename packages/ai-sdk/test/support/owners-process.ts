/** A server process that serves many owners through every entry point of the AI SDK; scripts/owners.long.test.ts starts it. */

import { createHostFor, ENTRY_POINTS } from './hosts.ts'
import { MAJORS } from './majors.ts'
import { runOperations } from './run-operations.ts'

const entryPoints = MAJORS.flatMap((major) =>
  ENTRY_POINTS.map((entry) => ({ name: `${major.name}, ${entry}`, create: createHostFor(major, entry), toolLoop: true, owners: true })),
)

await runOperations(entryPoints)
