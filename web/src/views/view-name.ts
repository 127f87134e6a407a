/** Characters of a view's name; the server takes no more. */
export const MAX_NAME_LENGTH = 100;
