/** Tells two builds of the library apart, for what one of them has derived and stored. The builds put a hash of the sources here (`scripts/library-build.ts`). */
export const LIBRARY_BUILD: string = 'sources'
