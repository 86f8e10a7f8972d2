// @ts-check
import { LazyComponent } from "../lazy_component.js";
import { loadStyles } from "../styles.js";

// What the first view of the browser does without.

/**
 * A part that needs more styles than the page.
 * @template Props
 * @param {() => Promise<import("../lazy_component.js").Component<Props>>} fetch imports it
 * @param {string} [styles]
 */
function styled(fetch, styles = "lazy.css") {
  return new LazyComponent(async () => {
    // The server draws some, too; it sends the styles with the page.
    const [view] = await Promise.all([fetch(), globalThis.document && loadStyles(styles)]);
    return view;
  });
}

export const details = styled(async () => (await import("../details/details.js")).Details, "details.css");

export const folderVersions = styled(async () =>
  (await import("../versions/folder_versions.js")).FolderVersions
);

export const selectionBar = styled(async () => (await import("./selection_bar.js")).SelectionBar);

export const renameField = styled(async () => (await import("./rename_field.js")).RenameField);

export const kindsBar = styled(async () => (await import("./kinds_bar.js")).KindsBar);

export const thumbnails = styled(async () => (await import("./thumbnails.js")).Thumbnails);

export const viewMenu = styled(async () => (await import("./view_menu.js")).ViewMenu);

export const quotaBanner = styled(async () => (await import("./quota_banner.js")).QuotaBanner);

export const dropHint = new LazyComponent(async () => (await import("../upload/drop_hint.js")).DropHint);

export const bucketLinks = new LazyComponent(async () => (await import("./bucket_links.js")).BucketLinks);

export const pathForm = styled(async () => (await import("./path_form.js")).PathForm);

export const noMatch = new LazyComponent(async () => (await import("./no_match.js")).NoMatch);

export const emptyFolder = new LazyComponent(async () => (await import("./empty_folder.js")).EmptyFolder);

export const folderSize = new LazyComponent(async () => (await import("./folder_size.js")).FolderSize);

export const partialList = new LazyComponent(async () => (await import("./partial_list.js")).PartialList);

export const listFailure = new LazyComponent(async () => (await import("./list_failure.js")).ListFailure);
