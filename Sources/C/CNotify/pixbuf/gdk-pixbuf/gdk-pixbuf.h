/// A replacement for the header of GdkPixbuf. The headers of libnotify use the type GdkPixbuf in two
/// functions that this program does not call. The original header would require the flags of libnotify's
/// pkg-config file, which link the image library.
#ifndef CNOTIFY_GDK_PIXBUF_H
#define CNOTIFY_GDK_PIXBUF_H

typedef struct _GdkPixbuf GdkPixbuf;

#endif
