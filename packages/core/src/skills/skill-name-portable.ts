/** Names that one platform would read as something else than a file. */

const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i

/** Windows opens a device for these, with any extension. */
export const isDeviceName = (segment: string): boolean => device.test(segment)
