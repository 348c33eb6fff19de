/** Every way into ai 5 keeps every promise of an adapter. */
import { majorConformance } from '../support/conformance.ts'

majorConformance('ai 5')
