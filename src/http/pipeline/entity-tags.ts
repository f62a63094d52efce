/** True if the header `If-None-Match` has the tag, so that the client has this response already. */
export const namesTag = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
