/** What the server says about itself. */
import { signal } from '@preact/signals'
import type { AboutView } from '../../api/views.ts'

export const about = signal<AboutView | undefined>(undefined)
