/** The adapter conformance suite for each entry point with ai 6. */
import { majorConformance } from '../support/conformance.ts'

majorConformance('ai 6')
