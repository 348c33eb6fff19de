/** The name of a project in a document, which another program or a person may have written. Apart from `project.ts`, since a start reads no schema. */
import * as z from 'zod/mini'
import { byText } from '../shared/by-text.ts'
import { projectFault } from './project.ts'

/** Remembered, since a journal names the same few projects in many records. */
export const isProject: (name: string) => boolean = byText((name) => projectFault(name) === undefined)

export const projectSchema = /* @__PURE__ */ z.lazy(() => z.string().check(z.refine(isProject, 'not the name of a project')))
