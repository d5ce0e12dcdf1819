/** Save data as a file of the browser's downloads. */
export function save(name: string, type: string, data: BlobPart): void {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.setAttribute("data-out", "");
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(url);
}
