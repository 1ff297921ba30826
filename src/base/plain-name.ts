/** Returns a name as it is compared with others: `Read-File`, `readFile` and `read_file` are one name. */
export function plain(name: string): string {
  return name.replaceAll(/[-_.]/g, '').toLowerCase();
}
