// Command pod-network is the least network between the pods of nodes that share a link: each node gets the configuration
// of its own pods, a route to the pods of every other node, and the rules of the NetworkPolicies that select its pods.
// With `serve` it is an HTTP server instead, which answers every request with its host name, and with `get URL` its client.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/vishvananda/netlink"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/labels"
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
	switch {
	case len(os.Args) > 1 && os.Args[1] == "serve":
		log.Fatal(serve())
	case len(os.Args) > 2 && os.Args[1] == "get":
		if err := get(os.Args[2]); err != nil {
			log.Fatal(err)
		}
	default:
		log.Fatal(run(context.Background(), os.Getenv("NODE_NAME"), os.Getenv("CONFIGURATION_DIRECTORY")))
	}
}

func serve() error {
	return http.ListenAndServe(":8080", http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
		name, _ := os.Hostname()
		fmt.Fprintln(response, name)
	}))
}

func get(url string) error {
	client := http.Client{Timeout: 5 * time.Second}
	response, err := client.Get(url)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(os.Stdout, response.Body)
	return err
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
	nodes := factory.Core().V1().Nodes().Informer()
	pods := factory.Core().V1().Pods().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	nodeChanges, err := changesOf(nodes)
	if err != nil {
		return err
	}
	policyChanges, err := changesOf(pods, namespaces, policies)
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	go reconcileOn(nodeChanges, func() error {
		return reconcile(listOf[*corev1.Node](nodes), nodeName, directory)
	})
	// Rules from a part of the objects could allow or drop too much.
	factory.WaitForCacheSync(ctx.Done())
	loaded := ""
	reconcileOn(policyChanges, func() error {
		state := &clusterState{
			nodeName:   nodeName,
			pods:       listOf[*corev1.Pod](pods),
			namespaces: map[string]labels.Set{},
			policies:   listOf[*networkingv1.NetworkPolicy](policies),
		}
		for _, namespace := range listOf[*corev1.Namespace](namespaces) {
			state.namespaces[namespace.Name] = namespace.Labels
		}
		state.sort()
		rules, err := state.rules()
		if err != nil || rules == loaded {
			return err
		}
		if err := load(rules); err != nil {
			return err
		}
		loaded = rules
		return nil
	})
	return nil
}

func changesOf(sources ...cache.SharedIndexInformer) (chan struct{}, error) {
	changes := make(chan struct{}, 1)
	for _, source := range sources {
		if _, err := source.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { signal(changes) },
			UpdateFunc: func(any, any) { signal(changes) },
			DeleteFunc: func(any) { signal(changes) },
		}); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

func signal(changes chan struct{}) {
	select {
	case changes <- struct{}{}:
	default:
	}
}

func reconcileOn(changes chan struct{}, reconcile func() error) {
	for range changes {
		if err := reconcile(); err != nil {
			log.Print(err)
			time.AfterFunc(time.Second, func() { signal(changes) })
		}
	}
}

func listOf[T any](source cache.SharedIndexInformer) []T {
	found := []T{}
	for _, item := range source.GetStore().List() {
		found = append(found, item.(T))
	}
	return found
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
