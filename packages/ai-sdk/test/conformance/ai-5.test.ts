/** The adapter conformance suite for each entry point with ai 5. */
import { majorConformance } from '../support/conformance.ts'

majorConformance('ai 5')
