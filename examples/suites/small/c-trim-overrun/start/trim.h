#ifndef TRIM_H
#define TRIM_H

/* Removes spaces, tabs, \r and \n at both ends, in place. Returns text. */
char *trim(char *text);

#endif
