/** Where and when something was measured. */
import { cpus, loadavg, release, totalmem, type } from 'node:os'

export interface MeasuredOn {
  /** ISO 8601. */
  readonly at: string
  readonly seconds: number
  /** Load average of the machine over one minute, before and after: beyond its number of processors, others were at work. */
  readonly load: { readonly before: number; readonly after: number }
  readonly processors: string
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
}

const GIGABYTE = 1024 ** 3

const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10

/** Call it before, and what it returns after. */
export const measuring = (): (() => MeasuredOn) => {
  const [at, before, start] = [new Date().toISOString(), load(), performance.now()]
  return () => ({
    at,
    seconds: Math.round((performance.now() - start) / 1_000),
    load: { before, after: load() },
    processors: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    memoryGigabytes: Math.round(totalmem() / GIGABYTE),
    system: `${type()} ${release()}`,
    node: process.versions.node,
  })
}

export const describeMeasuring = ({ at, seconds, load: { before, after }, ...machine }: MeasuredOn): string => {
  const { processors, memoryGigabytes, system, node } = machine
  const of = `${processors}, ${memoryGigabytes} GB, ${system}, Node ${node}`
  return `Measured ${at.slice(0, 10)} in ${seconds.toLocaleString('en-US')} s on ${of}; load of the machine ${before.toFixed(1)} before, ${after.toFixed(1)} after.`
}
