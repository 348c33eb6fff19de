/** Every way into ai 6 keeps every promise of an adapter. */
import { majorConformance } from '../support/conformance.ts'

majorConformance('ai 6')
