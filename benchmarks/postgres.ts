/**
 * @hermes/postgres, with a server of its own.
 * - `trips`: round trips of a session's start and of a turn's save, and eight writers of one document.
 * - `size`: what a home takes. `--owners 1`; `--days 30` (a year takes several minutes).
 * - `queue`: claims of due reviews, beside SQLite and bare statements. `--entries 1000,100000`.
 */
import { measureQueue } from './postgres/queue.ts'
import { measureSize } from './postgres/size.ts'
import { measureTrips } from './postgres/trips.ts'

export const parts = { trips: measureTrips, size: measureSize, queue: measureQueue }
