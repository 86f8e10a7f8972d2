// @ts-check
import { LazyComponent } from "../lazy_component.js";
import { loadStyles } from "../styles.js";

// What the first view of the browser does without.

export const details = new LazyComponent(async () => {
  // The server draws them too; it sends the styles with the page.
  const styles = typeof document === "undefined" ? null : loadStyles("lazy.css");
  const [{ Details }] = await Promise.all([import("../details/details.js"), styles]);
  return Details;
});

export const folderVersions = new LazyComponent(async () => {
  const [{ FolderVersions }] = await Promise.all([
    import("../versions/folder_versions.js"),
    loadStyles("lazy.css"),
  ]);
  return FolderVersions;
});

export const selectionBar = new LazyComponent(async () => (await import("./selection_bar.js")).SelectionBar);

export const renameField = new LazyComponent(async () => {
  const [{ RenameField }] = await Promise.all([import("./rename_field.js"), loadStyles("lazy.css")]);
  return RenameField;
});

export const kindsBar = new LazyComponent(async () => {
  const [{ KindsBar }] = await Promise.all([import("./kinds_bar.js"), loadStyles("lazy.css")]);
  return KindsBar;
});

export const thumbnails = new LazyComponent(async () => {
  const [{ Thumbnails }] = await Promise.all([import("./thumbnails.js"), loadStyles("lazy.css")]);
  return Thumbnails;
});

export const viewMenu = new LazyComponent(async () => {
  const [{ ViewMenu }] = await Promise.all([import("./view_menu.js"), loadStyles("lazy.css")]);
  return ViewMenu;
});

export const quotaBanner = new LazyComponent(async () => {
  const [{ QuotaBanner }] = await Promise.all([import("./quota_banner.js"), loadStyles("lazy.css")]);
  return QuotaBanner;
});

export const bucketLinks = new LazyComponent(async () => (await import("./bucket_links.js")).BucketLinks);

export const pathForm = new LazyComponent(async () => (await import("./path_form.js")).PathForm);

export const noMatch = new LazyComponent(async () => (await import("./no_match.js")).NoMatch);

export const uploadCommand = new LazyComponent(async () =>
  (await import("./upload_command.js")).UploadCommand
);

export const folderSize = new LazyComponent(async () => (await import("./folder_size.js")).FolderSize);

export const partialList = new LazyComponent(async () => (await import("./partial_list.js")).PartialList);

export const listFailure = new LazyComponent(async () => (await import("./list_failure.js")).ListFailure);
