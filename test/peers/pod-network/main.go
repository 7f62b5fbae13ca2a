// Command pod-network is the least network between the pods of nodes that share a link: each node gets the configuration
// of its own pods, and a route to the pods of every other node. With `serve` it is the pod that is asked instead: it
// answers every request with its host name.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/vishvananda/netlink"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Routes of ours bear this mark, so that those of nodes that are gone can be told from the machine's own.
const routeProtocol = 201

const configuration = `{
  "cniVersion": "1.0.0",
  "name": "pod-network",
  "plugins": [
    {
      "type": "ptp",
      "ipMasq": false,
      "ipam": {"type": "host-local", "dataDir": "/run/pod-network", "ranges": [[{"subnet": %q}]], "routes": [{"dst": "0.0.0.0/0"}]}
    },
    {"type": "portmap", "capabilities": {"portMappings": true}}
  ]
}
`

func main() {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		log.Fatal(serve())
	}
	log.Fatal(run(context.Background(), os.Getenv("NODE_NAME"), os.Getenv("CONFIGURATION_DIRECTORY")))
}

func serve() error {
	return http.ListenAndServe(":8080", http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		name, _ := os.Hostname()
		fmt.Fprintln(response, name)
	}))
}

func run(ctx context.Context, nodeName string, directory string) error {
	if nodeName == "" || directory == "" {
		return errors.New("NODE_NAME and CONFIGURATION_DIRECTORY must be set")
	}
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, time.Minute)
	nodes := factory.Core().V1().Nodes()
	changes := make(chan struct{}, 1)
	changed := func() {
		select {
		case changes <- struct{}{}:
		default:
		}
	}
	if _, err := nodes.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { changed() },
		UpdateFunc: func(any, any) { changed() },
		DeleteFunc: func(any) { changed() },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	for range changes {
		known := []*corev1.Node{}
		for _, item := range nodes.Informer().GetStore().List() {
			known = append(known, item.(*corev1.Node))
		}
		if err := reconcile(known, nodeName, directory); err != nil {
			log.Print(err)
			time.AfterFunc(time.Second, changed)
		}
	}
	return nil
}

func reconcile(nodes []*corev1.Node, nodeName string, directory string) error {
	wanted := map[string]net.IP{}
	for _, node := range nodes {
		if node.Spec.PodCIDR == "" {
			continue
		}
		if node.Name == nodeName {
			if err := writeConfiguration(directory, node.Spec.PodCIDR); err != nil {
				return err
			}
			continue
		}
		for _, address := range node.Status.Addresses {
			if address.Type == corev1.NodeInternalIP {
				wanted[node.Spec.PodCIDR] = net.ParseIP(address.Address)
			}
		}
	}
	return syncRoutes(wanted)
}

func writeConfiguration(directory string, subnet string) error {
	path := filepath.Join(directory, "10-pod-network.conflist")
	text := fmt.Sprintf(configuration, subnet)
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func syncRoutes(wanted map[string]net.IP) error {
	mine := &netlink.Route{Protocol: routeProtocol}
	routes, err := netlink.RouteListFiltered(netlink.FAMILY_V4, mine, netlink.RT_FILTER_PROTOCOL)
	if err != nil {
		return err
	}
	for _, route := range routes {
		if route.Dst == nil || wanted[route.Dst.String()] == nil {
			if err := netlink.RouteDel(&route); err != nil {
				return err
			}
		}
	}
	for subnet, gateway := range wanted {
		_, destination, err := net.ParseCIDR(subnet)
		if err != nil {
			return err
		}
		if err := netlink.RouteReplace(&netlink.Route{Dst: destination, Gw: gateway, Protocol: routeProtocol}); err != nil {
			return err
		}
	}
	return nil
}
