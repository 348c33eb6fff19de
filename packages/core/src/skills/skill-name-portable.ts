/** Names that some platform does not read as a file. */

const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i

/** Windows opens a device for these, with any extension. */
export const isDeviceName = (segment: string): boolean => device.test(segment)
