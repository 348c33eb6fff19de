/** Compiled with ai 5, never run. */
import { Experimental_Agent } from 'ai'
import { model, tools } from '../assignable.ts'

export const assistant = (): void => {
  new Experimental_Agent({ model, tools })
}
