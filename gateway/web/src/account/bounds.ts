// What a password may be, as the server says.

/** The shortest one that can be chosen, in characters. */
export const PASSWORD_MIN = 8;
/** The longest one, in characters. */
export const PASSWORD_MAX = 128;
